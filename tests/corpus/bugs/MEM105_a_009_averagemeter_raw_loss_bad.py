import time
import torch
import torch.nn.functional as F


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  #= MEM105
        self.count += n
        self.avg = self.sum / self.count


def train_epoch(train_loader, model, criterion, optimizer, epoch, print_freq=10):
    batch_time = AverageMeter()
    losses = AverageMeter()
    bpp = AverageMeter()
    model.train()
    end = time.time()
    for i, d in enumerate(train_loader):
        d = d.cuda(non_blocking=True)
        optimizer.zero_grad()
        out_net = model(d)
        out_criterion = criterion(out_net, d)
        out_criterion["loss"].backward()
        optimizer.step()

        losses.update(out_criterion["loss"])  #! MEM105
        bpp.update(out_criterion["bpp_loss"])  #! MEM105
        batch_time.update(time.time() - end)
        end = time.time()
        if i % print_freq == 0:
            print(f"Epoch {epoch} [{i}/{len(train_loader)}] time {batch_time.avg:.3f} "
                  f"loss {losses.avg:.4f} bpp {bpp.avg:.4f}")
    return losses.avg
