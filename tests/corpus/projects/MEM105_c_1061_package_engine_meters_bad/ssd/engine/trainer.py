from ..utils import MeterGroup, get_logger

logger = get_logger(__name__)


def do_train(model, criterion, loader, optimizer, device, epochs):
    meters = MeterGroup()
    model.train()
    for epoch in range(epochs):
        for it, (images, labels, boxes) in enumerate(loader):
            images, labels, boxes = images.to(device), labels.to(device), boxes.to(device)
            optimizer.zero_grad()
            conf, loc = model(images)
            reg, cls = criterion(conf, loc, labels, boxes)
            loss = reg + cls
            loss.backward()
            optimizer.step()
            meters.update(total=loss, reg=reg, cls=cls)  #! MEM105
            if it % 10 == 0:
                logger.info("%d %d %s", epoch, it, meters)
