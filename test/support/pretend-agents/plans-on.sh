# Stands in for claude as a planner, in its stream: $HOME/plan-answer is its answer, as a string of JSON. What it is told and how it was
# started is kept beside its conversations, in $HOME/.claude, which is its own in the sandbox, too. Files in $HOME that steer it, each once:
#   forgets        it has not the conversation         answers-badly  its answer is no plan
#   dies           it is killed in the middle          fails          it ends by itself, with words
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit; }
own=$HOME/.claude
mkdir -p "$own"
once() { [ -e "$HOME/$1" ] && [ ! -e "$own/did-$1" ] && touch "$own/did-$1"; }
conversation=$(echo "$*" | sed -n 's/.*--resume \([^ ]*\).*/\1/p')
echo "${conversation:-fresh}" >> "$own/started"
starts=$(wc -l < "$own/started" | tr -d ' ')
cat > "$own/told-$starts"
if [ -n "$conversation" ] && { [ ! -e "$own/kept-$conversation" ] || once forgets; }; then
  echo "No conversation found with session ID: $conversation" >&2
  printf '{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"%s","usage":{"input_tokens":0,"output_tokens":0},"errors":["No conversation found with session ID: %s"]}\n' "$conversation" "$conversation"
  exit 1
fi

conversation=${conversation:-00000000-0000-4000-8000-00000000000$starts}
touch "$own/kept-$conversation"
printf '{"type":"system","subtype":"init","session_id":"%s","model":"m"}\n' "$conversation"
once dies && kill -9 $$
once fails && { echo 'It broke.' >&2; exit 1; }
answer=$(cat "$HOME/plan-answer")
once answers-badly && answer='"I do not know."'
printf '{"type":"assistant","message":{"id":"m%s","content":[{"type":"text","text":%s}],"usage":{}}}\n' "$starts" "$answer"
printf '{"type":"result","subtype":"success","is_error":false,"session_id":"%s","usage":{},"result":%s}\n' "$conversation" "$answer"
