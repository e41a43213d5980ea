import contextlib
import torch


def run(model, loader, opt=None, amp_dtype=None):
    is_train = opt is not None
    grad_ctx = torch.enable_grad if is_train else torch.no_grad
    amp_ctx = torch.autocast("cuda", dtype=amp_dtype) if amp_dtype else contextlib.nullcontext()
    outs = []
    with grad_ctx():
        for x, y in loader:
            with amp_ctx:
                loss = torch.nn.functional.cross_entropy(model(x), y)
            if is_train:
                opt.zero_grad()
                loss.backward()
                opt.step()
            outs.append(loss.item())
    return sum(outs) / len(outs)
