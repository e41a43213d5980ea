# the view is cut out of a detached value, or of its copy in host memory

import torch


def extract(model, loader):
    first, kept = [], []
    for batch in loader:
        with torch.no_grad():
            hidden = model(**batch).last_hidden_state
        first.append(hidden.detach()[:, 0])  #! MEM104 warning
        kept.append(hidden.to("cpu")[:, 0])  #! MEM104 warning
    return torch.cat(first), torch.cat(kept)
