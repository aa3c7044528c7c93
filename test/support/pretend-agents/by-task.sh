# The worker: plays what the test has laid out for the task, or succeeds.
PRETEND=$(cd "$(dirname "$0")" && pwd)
export PRETEND
task=${ORCHESTRA_OWNER##*.}
[ -e "$HOME/acts/$task" ] && exec sh "$HOME/acts/$task" "$@"
exec sh "$PRETEND/succeed.sh" "$@"
