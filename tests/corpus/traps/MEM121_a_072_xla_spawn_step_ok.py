import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def train_fn(model, loader, epochs):
    device = xm.xla_device()
    model = model.to(device)
    opt = torch.optim.SGD(model.parameters(), 0.1 * xm.xrt_world_size())
    tracker = xm.RateTracker()
    for epoch in range(epochs):
        para = pl.ParallelLoader(loader, [device]).per_device_loader(device)
        for step, (x, y) in enumerate(para):
            opt.zero_grad()
            loss = F.nll_loss(model(x), y)
            loss.backward()
            xm.optimizer_step(opt)
            tracker.add(len(x))
            if step % 20 == 0:
                xm.master_print(epoch, step, loss.item(), tracker.rate())
