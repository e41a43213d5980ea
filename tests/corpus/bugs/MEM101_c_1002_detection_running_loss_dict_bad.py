import time
from collections import defaultdict

import torch
import torchvision
from torchvision.models.detection import fasterrcnn_resnet50_fpn


def collate_fn(batch):
    return tuple(zip(*batch))


def train_one_epoch(model, optimizer, data_loader, device, epoch, print_freq=20):
    model.train()
    running = defaultdict(float)
    start = time.time()
    for step, (images, targets) in enumerate(data_loader, 1):
        images = [img.to(device) for img in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        for name, value in loss_dict.items():
            running[name] += value  #! MEM101
        if step % print_freq == 0:
            msg = "  ".join(f"{k}: {v / step:.4f}" for k, v in running.items())
            print(f"[{epoch}][{step}/{len(data_loader)}] {msg}  ({time.time() - start:.1f}s)")


def main():
    device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    dataset = torchvision.datasets.VOCDetection("data/voc", image_set="trainval", download=False)
    loader = torch.utils.data.DataLoader(dataset, batch_size=2, shuffle=True, num_workers=4, collate_fn=collate_fn)
    model = fasterrcnn_resnet50_fpn(weights="DEFAULT").to(device)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.005, momentum=0.9)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
    for epoch in range(10):
        train_one_epoch(model, optimizer, loader, device, epoch)
        lr_scheduler.step()


if __name__ == "__main__":
    main()
