# Labels of energies and forces: the network, which a configuration names, differentiates one for the other.

import hydra
import torch


def fit(config, train_loader, val_loader):
    model = hydra.utils.instantiate(config.model).cuda()
    outputs = hydra.utils.instantiate(config.outputs)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(10):
        model.train()
        for batch in train_loader:
            optimizer.zero_grad()
            sum(output.loss(model(batch), batch) for output in outputs).backward()
            optimizer.step()
        model.eval()
        total = {"energy": 0.0, "forces": 0.0}
        for batch in val_loader:
            pred = model(batch)
            for output in outputs:
                total[output.name] += output.loss(pred, batch).item() / batch["forces"].shape[0]
        print(total)
