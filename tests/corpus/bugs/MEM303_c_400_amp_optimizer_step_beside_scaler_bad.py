import argparse

import torch
import torch.nn.functional as F
from torch.cuda import amp  #? MEM903
from torch.utils.data import DataLoader, TensorDataset


def train(args, model, device, loader, optimizer, epoch, grad_scaler):
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        with amp.autocast():  #? MEM903
            output = model(data)
            loss = F.nll_loss(F.log_softmax(output, dim=1), target)
        grad_scaler.scale(loss).backward()
        optimizer.step()  #! MEM303
        if batch_idx % args.log_interval == 0:
            print(epoch, loss.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log-interval", type=int, default=10)
    args = parser.parse_args()
    device = torch.device("cuda")
    model = torch.nn.Linear(784, 10).to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    grad_scaler = amp.GradScaler()  #? MEM903
    data = TensorDataset(torch.randn(512, 784), torch.randint(0, 10, (512,)))
    loader = DataLoader(data, batch_size=64, shuffle=True)  #? MEM401
    for epoch in range(2):
        train(args, model, device, loader, optimizer, epoch, grad_scaler)


if __name__ == "__main__":
    main()
