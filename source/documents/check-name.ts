/** What a check may be called, in the rules file and in a plan; its failure is called after it. */
export const checkName = /^[a-z][a-z0-9-]{0,30}$/;
