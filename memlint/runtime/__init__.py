"""The only part of memlint that runs user code and imports torch, always in a child process.

`parent` plans the runs, starts the child processes and judges what they measured: it needs neither.
`child` and `simulate` are imported by a child process alone, which begins in `start`; `spec` says what a
run is to do.
"""
