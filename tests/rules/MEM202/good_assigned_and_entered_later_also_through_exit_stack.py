# assigned and entered later, also through an exit stack

import contextlib

import torch

ctx = torch.no_grad()
ctx.__enter__()
print(torch.ones(1, requires_grad=True) + 1)
ctx.__exit__(None, None, None)
amp_ctx = torch.autocast("cuda") if torch.cuda.is_available() else contextlib.nullcontext()
with amp_ctx:
    pass
stack = contextlib.ExitStack()
stack.enter_context(torch.no_grad())
stack.close()
