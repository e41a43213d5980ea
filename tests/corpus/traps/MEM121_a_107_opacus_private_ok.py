import torch
from opacus import PrivacyEngine
from opacus.utils.batch_memory_manager import BatchMemoryManager


def train(model, loader, epochs, device):
    opt = torch.optim.SGD(model.parameters(), 0.1)
    engine = PrivacyEngine()
    model, opt, loader = engine.make_private(module=model, optimizer=opt, data_loader=loader,
                                             noise_multiplier=1.1, max_grad_norm=1.0)
    crit = torch.nn.CrossEntropyLoss()
    for epoch in range(epochs):
        losses = []
        with BatchMemoryManager(data_loader=loader, max_physical_batch_size=64, optimizer=opt) as dl:
            for x, y in dl:
                opt.zero_grad(set_to_none=True)
                loss = crit(model(x.to(device)), y.to(device))
                loss.backward()
                opt.step()
                losses.append(loss.item())
        print(epoch, sum(losses) / len(losses), engine.get_epsilon(1e-5))
