# Stands in for the CLI named by $1, in its own stream. On its first start for a task it dies in the way that $HOME/ways/TASK names;
# whenever it is started again it does its work. Each start leaves a line in $HOME/started: the task and the conversation that it goes on with.
#   kill, term, abort   a signal ends it                         renderer   what runs it is killed
#   shim-0, shim-1      it is started by a program that does not pass on that it was killed, and ends with 0 or 1
#   shim-137            ... and ends as a shell does             shim-says  ... and prints who was killed
#   error               it ends by itself, and says why
agent=$1; shift
case "$*" in *--version*) echo '1.0.0'; exit ;; esac
task=${ORCHESTRA_OWNER##*.}
conversation=c-$task
case "$*" in *"$conversation"*) resumed=$conversation ;; *) resumed=fresh ;; esac
{ echo "$task $resumed" >> "$HOME/started"; } 2>/dev/null
# In a sandbox only its own state can be written.
died=$HOME/.claude/died-$task
way=$([ -e "$died" ] || cat "$HOME/ways/$task")
mkdir -p "$HOME/.claude" && touch "$died"
case $agent in claude) read -r prompt ;; *) cat > /dev/null ;; esac

begin() {
  case $agent in
    claude) printf '{"type":"system","subtype":"init","session_id":"%s","model":"m"}\n{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I begin."}],"usage":{}}}\n' "$conversation" ;;
    codex) printf '{"type":"thread.started","thread_id":"%s"}\n{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"I begin."}}\n' "$conversation" ;;
    gemini) printf '{"type":"init","session_id":"%s","model":"m"}\n{"type":"message","role":"assistant","content":"I begin."}\n' "$conversation" ;;
    opencode) printf '{"type":"text","sessionID":"%s","part":{"text":"I begin."}}\n' "$conversation" ;;
    pi) printf '{"type":"session","id":"%s"}\n{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"I begin."}],"stopReason":"toolUse"}}\n' "$conversation" ;;
  esac
}

finish() {
  case $agent in
    claude) printf '{"type":"result","subtype":"success","is_error":false,"session_id":"%s","usage":{},"result":"There it is."}\n' "$conversation" ;;
    codex) printf '{"type":"turn.completed","usage":{}}\n' ;;
    gemini) printf '{"type":"result","status":"success","stats":{}}\n' ;;
    opencode) printf '{"type":"step_finish","sessionID":"%s","part":{"id":"p1","reason":"stop"}}\n' "$conversation" ;;
    pi) printf '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"There it is."}],"stopReason":"stop"}}\n' ;;
  esac
}

# Until what runs it has left which conversation it has: its own arguments say where.
until_noted() {
  left=$(tr '\0' '\n' < /proc/$PPID/cmdline | grep -A1 -x -e --outcome-file | tail -1)
  until grep -q "$conversation" "$left" 2>/dev/null; do sleep 0.05; done
}

begin
case $way in
  kill) kill -9 $$ ;;
  term) kill -15 $$ ;;
  abort) kill -6 $$ ;;
  renderer) until_noted; kill -9 $PPID; sleep 600 ;;
  shim-0) sh -c 'kill -9 $$' 2>/dev/null; exit 0 ;;
  shim-1) sh -c 'kill -9 $$' 2>/dev/null || exit 1 ;;
  shim-137) sh -c 'kill -9 $$' 2>/dev/null; exit $? ;;
  shim-says) echo 'npm error signal SIGKILL' >&2; exit 1 ;;
  error) echo 'Error: it broke' >&2; exit 1 ;;
esac
echo "done by $task" > "$task.txt"
finish
