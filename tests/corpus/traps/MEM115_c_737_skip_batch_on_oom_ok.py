import logging
import traceback

import torch


def train(net, crit, opt, loader):
    skipped = []
    for i, (x, y) in enumerate(loader):
        try:
            opt.zero_grad()
            loss = crit(net(x.cuda()), y.cuda())
            loss.backward()
            opt.step()
        except RuntimeError as e:
            if "out of memory" not in str(e):
                raise
            logging.warning("batch %d: %s", i, e)
            skipped.append((i, traceback.format_exc()))
            opt.zero_grad()
            torch.cuda.empty_cache()  #? MEM501
            continue
    return skipped
