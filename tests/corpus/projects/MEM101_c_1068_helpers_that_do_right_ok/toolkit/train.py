from .evaluate import accuracy
from .meters import AverageMeter, ProgressMeter


def train_one_epoch(model, criterion, optimizer, loader, device):
    losses, top1 = AverageMeter("Loss"), AverageMeter("Acc@1")
    progress = ProgressMeter(len(loader), [losses, top1])
    model.train()
    for i, (images, target) in enumerate(loader):
        images, target = images.to(device, non_blocking=True), target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        acc1, acc5 = accuracy(output, target, topk=(1, 5))
        losses.update(loss.item(), images.size(0))
        top1.update(acc1[0], images.size(0))
        optimizer.zero_grad()  #? MEM122
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            progress.display(i)
    return losses.avg
