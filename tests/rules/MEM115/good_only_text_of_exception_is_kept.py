# only the text of the exception is kept

import logging

import torch

net = torch.nn.Linear(8, 8)
notes = []
for x in torch.randn(5, 4, 8):
    try:
        net(x).sum().backward()
    except Exception as e:
        logging.exception("failed: %s", e)
        notes.append(str(e))
        notes.append(f"{type(e).__name__}: {e}")
print(notes)
