import sys
import math
import torch
import utils.misc as misc
from utils import lr as lr_sched


def train_one_epoch(model, loader, optimizer, device, epoch, scaler, args):
    model.train(True)
    log = misc.MetricLogger()
    optimizer.zero_grad()
    for i, (x, _) in enumerate(log.log_every(loader, 20)):
        if i % args.accum == 0:
            lr_sched.adjust(optimizer, i / len(loader) + epoch, args)
        x = x.to(device, non_blocking=True)
        with torch.amp.autocast("cuda"):
            loss = model(x).mean()
        v = loss.item()
        if not math.isfinite(v):
            sys.exit(1)
        loss = loss / args.accum
        scaler(loss, optimizer, update=(i + 1) % args.accum == 0)
        if (i + 1) % args.accum == 0:
            optimizer.zero_grad()
        torch.cuda.synchronize()
        log.update(loss=v)
    return {k: m.avg for k, m in log.meters.items()}
