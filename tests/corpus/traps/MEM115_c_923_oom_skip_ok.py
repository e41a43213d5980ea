"""Handlers that skip, log, or leave a flag."""
import logging
import torch

log = logging.getLogger(__name__)


def train(model, loader, opt, crit):
    bad = []
    for i, (x, y) in enumerate(loader):
        try:
            opt.zero_grad()
            loss = crit(model(x.cuda()), y.cuda())
            loss.backward()
            opt.step()
        except RuntimeError as e:
            if "out of memory" in str(e):
                log.warning("OOM at batch %d: %s", i, e)
                bad.append((i, str(e)))
                for p in model.parameters():
                    if p.grad is not None:
                        del p.grad
                torch.cuda.empty_cache()
                continue
            raise e
    return bad


def find_batch_size(fn, start=1024):
    bs = start
    while bs > 1:
        oom = False
        try:
            fn(bs)
            return bs
        except (RuntimeError, torch.cuda.OutOfMemoryError):
            oom = True
        if oom:
            torch.cuda.empty_cache()
            bs //= 2


def load(path, url):
    try:
        return torch.load(path, map_location="cpu")
    except FileNotFoundError:
        return torch.hub.load_state_dict_from_url(url, map_location="cpu")
