# resumed training: model, optimizer, epoch, in a function called from main

import os

import torch


def resume(path, model, optimizer, scheduler):
    checkpoint = torch.load(path, weights_only=True, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    start_epoch = checkpoint["epoch"] + 1
    print(f"resumed at epoch {start_epoch}")
    return start_epoch


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = torch.nn.Linear(10, 10).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    start = 0
    if os.path.exists("last.pt"):
        start = resume("last.pt", model, optimizer, scheduler)
    for epoch in range(start, 10):
        optimizer.zero_grad()
        model(torch.randn(4, 10, device=device)).sum().backward()
        optimizer.step()
        scheduler.step()


if __name__ == "__main__":
    main()
