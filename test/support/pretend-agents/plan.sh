# The planner: prints the plan that the test has laid out.
[ -e "$HOME/acts/plan" ] && PRETEND=$(dirname "$0") exec sh "$HOME/acts/plan" "$@"
echo 'I have looked around.'
printf '```json\n'
cat "$HOME/plan.json"
printf '\n```\n'
