import logging
import time
from collections import OrderedDict
from contextlib import suppress

import torch
import torch.nn as nn

_logger = logging.getLogger("validate")


class AverageMeter:
    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def accuracy(output, target, topk=(1,)):
    _, pred = output.topk(max(topk), 1)
    correct = pred.t().eq(target.reshape(1, -1).expand_as(pred.t()))
    return [correct[:k].reshape(-1).float().sum(0) * 100. / target.size(0) for k in topk]


def validate(model, loader, loss_fn, args, amp_autocast=suppress):
    batch_time, losses, top1 = AverageMeter(), AverageMeter(), AverageMeter()
    model.eval()
    end = time.time()
    last_idx = len(loader) - 1
    for batch_idx, (inp, target) in enumerate(loader):
        with amp_autocast():
            output = model(inp)  #! MEM201
            loss = loss_fn(output, target)
        losses.update(loss, inp.size(0))  #! MEM105
        top1.update(accuracy(output, target)[0].item(), inp.size(0))
        batch_time.update(time.time() - end)
        end = time.time()
        if batch_idx == last_idx or batch_idx % 50 == 0:
            _logger.info("%d loss %.4f top1 %.3f", batch_idx, losses.avg, top1.avg)
    return OrderedDict([("loss", float(losses.avg)), ("top1", top1.avg)])


def main(args, model, loader):
    loss_fn = nn.CrossEntropyLoss().cuda()
    model = model.cuda()
    results = validate(model, loader, loss_fn, args)
    _logger.info("%s", results)
