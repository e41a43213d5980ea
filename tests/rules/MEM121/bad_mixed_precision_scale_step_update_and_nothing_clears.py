# mixed precision: scale, step, update, and nothing clears

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, device):
    scaler = torch.amp.GradScaler("cuda")
    model.train()
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(data), target)
        scaler.scale(loss).backward()  #! MEM121
        scaler.step(optimizer)
        scaler.update()


def main():
    device = torch.device("cuda")
    model = torch.nn.Linear(20, 4).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = [(torch.randn(8, 20), torch.randint(0, 4, (8,))) for _ in range(10)]
    for epoch in range(3):
        train(model, loader, optimizer, device)


if __name__ == "__main__":
    main()
