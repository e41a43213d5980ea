# batches remembered for a replay at the end of the epoch

import torch

seen = []


def train(model, data_loader, opt, criterion):
    for epoch in range(5):
        for batch in data_loader:
            opt.zero_grad()
            criterion(model(batch["x"]), batch["y"]).backward()
            opt.step()
            seen.append(batch)  #! MEM404 error
        with torch.no_grad():
            for batch in seen:
                print(criterion(model(batch["x"]), batch["y"]).item())
