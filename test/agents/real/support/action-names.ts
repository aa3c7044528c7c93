import type {Call} from '../../model-server/script.ts';

/** How each agent's model asks for the same actions. */
export type ActionNames = {
  readonly write: (file: string, text: string) => Call;
  readonly shell: (command: string) => Call;
};

export const actionNames: Readonly<Record<string, ActionNames>> = {
  claude: {
    write: (file, text) => ({name: 'Write', input: {file_path: file, content: text}}),
    shell: (command) => ({name: 'Bash', input: {command, description: 'do it'}}),
  },
  codex: {
    write: (file, text) => ({
      name: 'exec_command',
      input: {
        cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n${text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `+${line}`)
          .join('\n')}\n*** End Patch\nEOF`,
      },
    }),
    shell: (command) => ({name: 'exec_command', input: {cmd: command}}),
  },
  gemini: {
    write: (file, text) => ({name: 'write_file', input: {file_path: file, content: text}}),
    shell: (command) => ({name: 'run_shell_command', input: {command, description: 'do it'}}),
  },
  opencode: {
    write: (file, text) => ({name: 'write', input: {filePath: file, content: text}}),
    shell: (command) => ({name: 'bash', input: {command, description: 'do it'}}),
  },
  pi: {
    write: (file, text) => ({name: 'write', input: {path: file, content: text}}),
    shell: (command) => ({name: 'bash', input: {command}}),
  },
};

/** What each agent calls a tool of a server. */
export const toolNames: Readonly<Record<string, (server: string, tool: string) => string>> = {
  claude: (server, tool) => `mcp__${server}__${tool}`,
  codex: (server, tool) => `mcp__${server}__${tool}`,
  gemini: (server, tool) => `mcp_${server}_${tool}`,
  opencode: (server, tool) => `${server}_${tool}`,
  pi: (server, tool) => `${server}_${tool}`,
};
