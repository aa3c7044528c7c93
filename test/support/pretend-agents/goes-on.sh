# Stands in for claude as planner and worker, in its stream, and resumes its conversation. Every prompt that enters a conversation is saved
# in $HOME/prompts as NUMBER-KIND-CONVERSATION, and what goes to its system prompt beside it. $HOME/reds says how many attempts write
# something that the check rejects. A directory $HOME/mute makes the next attempt end before its model has answered.
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit; }
mkdir -p "$HOME/prompts"
conversation=$(echo "$*" | sed -n 's/.*--resume \([^ ]*\).*/\1/p')
case "$*" in *'--permission-mode plan'*) kind=plan ;; *) kind=work ;; esac
starts=$(ls "$HOME/prompts" | grep -c -- "-$kind-")
number=$((starts + 1))
case $kind in plan) first=00000000-0000-4000-8000-000000000001 ;; *) first=00000000-0000-4000-8000-000000000002 ;; esac
conversation=${conversation:-$first}
sh "$(dirname "$0")/read-prompt.sh" > "$HOME/prompts/$number-$kind-$conversation"
printf '%s\n' "$@" | sed -n '/^--append-system-prompt$/,$p' > "$HOME/prompts/system-$number-$kind"
printf '{"type":"system","subtype":"init","session_id":"%s","model":"m"}\n' "$conversation"
if rmdir "$HOME/mute" 2> /dev/null; then kill -9 $$; fi
answer='"Done."'
if [ $kind = plan ]; then answer=$(cat "$HOME/plan-answer")
elif [ $number -le "$(cat "$HOME/reds" 2> /dev/null || echo 0)" ]; then echo "red $number" > t1.txt
else echo "better $number" > t1.txt
fi
usage='{"input_tokens":1000,"output_tokens":50}'
printf '{"type":"assistant","message":{"id":"m%s","content":[{"type":"text","text":%s}],"usage":%s}}\n' "$number" "$answer" "$usage"
printf '{"type":"result","subtype":"success","is_error":false,"session_id":"%s","usage":%s,"result":%s}\n' "$conversation" "$usage" "$answer"
