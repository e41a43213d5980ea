"""The only part of memlint that runs user code and imports torch, always in a child process.

The parent half (arms, counterfactual, verdict) needs neither; the child half (child, tracker, hooks,
bounds, sandbox, analyse) is imported by the child process alone.
"""
