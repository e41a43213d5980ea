import os
import time
import torch
from torch import nn


def adjust_learning_rate(optimizer, epoch, lr):
    for g in optimizer.param_groups:
        g['lr'] = lr * (0.1 ** (epoch // 30))


def train(model, train_loader, args):
    criterion = nn.CrossEntropyLoss().cuda()
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=args.momentum,
                                weight_decay=args.weight_decay)
    for epoch in range(args.start_epoch, args.epochs):
        adjust_learning_rate(optimizer, epoch, args.lr)
        end = time.time()
        for i, (input, target) in enumerate(train_loader):
            target = target.cuda(non_blocking=True)
            output = model(input.cuda())
            loss = criterion(output, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if i % args.print_freq == 0:
                print('Epoch [{0}][{1}] Time {2:.3f} Loss {3:.4f}'.format(epoch, i, time.time() - end, loss.item()))
                end = time.time()
