# Stands in for claude, in its words: it names its conversation at once, but keeps it only when it is done.
# `waits`: hangs once before that. `refused`: its service takes no key. `fails`: ends with 1 once when it begins anew.
task=${ORCHESTRA_OWNER##*.}
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit; }
conversation=$(echo "$*" | sed -n 's/.*--resume \([^ ]*\).*/\1/p')
echo "${conversation:-fresh}" >> "$HOME/started"
starts=$(wc -l < "$HOME/started" | tr -d ' ')
end() { printf '{"type":"result","subtype":"%s","is_error":%s,"session_id":"%s","usage":{"input_tokens":%s,"output_tokens":0},"total_cost_usd":0%s}\n' "$1" "$2" "$conversation" "$3" "$4"; }

if [ -n "$conversation" ] && [ ! -e "$HOME/refused" ] && [ ! -e "$HOME/kept-$conversation" ]; then
  echo "No conversation found with session ID: $conversation" >&2
  case "$*" in -p*) end error_during_execution true 0 ",\"errors\":[\"No conversation found with session ID: $conversation\"]" ;; esac
  exit 1
fi

# Its own screen.
case "$*" in -p*) sh "$(dirname "$0")/read-prompt.sh" > "$HOME/told-$starts" ;; *) printf '❯ '; exec sleep 600 ;; esac
conversation=${conversation:-00000000-0000-4000-8000-00000000000$starts}
printf '{"type":"system","subtype":"init","session_id":"%s","model":"m"}\n' "$conversation"
if [ -e "$HOME/waits" ]; then
  rm "$HOME/waits"
  touch "$HOME/waiting"
  sleep 600
fi

if [ -e "$HOME/refused" ]; then
  end success true 0 ',"api_error_status":401,"result":"Failed to authenticate. API Error: 401 invalid x-api-key"'
  exit 1
fi

if [ -e "$HOME/fails" ]; then
  rm "$HOME/fails"
  echo 'It broke.' >&2
  exit 1
fi

touch "$HOME/kept-$conversation"
echo better > "$task.txt"
end success false 100 ',"result":"There it is."'
