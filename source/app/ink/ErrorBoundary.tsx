import {Component, type ReactNode} from 'react';

export type ErrorBoundaryProps = {
  readonly onError: (error: Error) => void;
  readonly children: ReactNode;
};

/**
 * Reports what a component throws, and shows nothing then. It stands inside of Ink's own
 * boundary, which would unmount the tree and draw the error as a page of text.
 */
// React has no other way to catch what a component throws.
// eslint-disable-next-line no-restricted-syntax
export class ErrorBoundary extends Component<ErrorBoundaryProps, {readonly hasFailed: boolean}> {
  static getDerivedStateFromError(): {readonly hasFailed: boolean} {
    return {hasFailed: true};
  }

  override state = {hasFailed: false};

  override componentDidCatch(error: unknown): void {
    this.props.onError(error instanceof Error ? error : new Error(String(error)));
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
