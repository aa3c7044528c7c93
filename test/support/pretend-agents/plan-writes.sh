# A planner that does not only plan.
echo planted > planted-by-planner.txt
exec sh "$(dirname "$0")/plan-plainly.sh"
