import time

import torch
import torch.nn as nn

from utils import AverageMeter, accuracy


def validate(val_loader, model, criterion, args):
    batch_time = AverageMeter()
    losses = AverageMeter()
    top1 = AverageMeter()
    model.eval()
    end = time.time()
    with torch.no_grad():
        for i, (images, target) in enumerate(val_loader):
            images = images.cuda(args.gpu, non_blocking=True)
            target = target.cuda(args.gpu, non_blocking=True)
            output = model(images)
            loss = criterion(output, target)
            acc1, acc5 = accuracy(output, target, topk=(1, 5))
            losses.update(loss.item(), images.size(0))
            top1.update(acc1[0].item(), images.size(0))
            batch_time.update(time.time() - end)
            end = time.time()
    print(' * Acc@1 {top1.avg:.3f} Loss {loss.avg:.3f}'.format(top1=top1, loss=losses))
    return top1.avg


def train(train_loader, model, criterion, optimizer, args):
    model.train()
    for images, target in train_loader:
        output = model(images.cuda())
        loss = criterion(output, target.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
