# what an update gives is called a loss: a number for each update, a small matter

import torch
from agent import log_metrics, make_buffer, make_loss, make_optimizer


def main(cfg):
    device = torch.device("cuda")
    loss_module, buffer = make_loss(cfg, device), make_buffer(cfg)
    optimizer = make_optimizer(cfg, loss_module)

    def update(batch):
        optimizer.zero_grad(set_to_none=True)
        td_loss = loss_module(batch)
        td_loss.sum(reduce=True).backward()
        optimizer.step()
        return td_loss.detach()

    for frames in range(cfg.total):
        losses = []
        for _ in range(cfg.num_updates):
            batch = buffer.sample().to(device)
            td_loss = update(batch)
            losses.append(td_loss.clone())  #! MEM103 advice
        log_metrics(frames, torch.stack(losses))
