import argparse
import torch
from torch.utils.data import DataLoader
from torchvision.models.detection import fasterrcnn_resnet50_fpn


def collate(batch):
    return tuple(zip(*batch))


def train_one_epoch(model, optimizer, data_loader, device, epoch, print_freq=20):
    model.train()
    for it, (images, targets) in enumerate(data_loader):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        losses = sum(model(images, targets).values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        if it % print_freq == 0:
            print(epoch, it, losses.item())
        del images, targets
        torch.cuda.empty_cache()  #! MEM501


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    device = torch.device("cuda:0")
    net = fasterrcnn_resnet50_fpn(num_classes=3).to(device)
    opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.005)
    loader = DataLoader(torch.load("items.pt", map_location="cpu"), batch_size=2, collate_fn=collate, num_workers=2)
    for epoch in range(args.epochs):
        train_one_epoch(net, opt, loader, device, epoch)
