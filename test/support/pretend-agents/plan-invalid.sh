# A planner that never comes to a plan.
printf '```json\n{"problem": "there is one", "tasks": []}\n```\n'
