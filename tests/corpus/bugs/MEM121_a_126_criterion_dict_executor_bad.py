import logging
import torch
import torch.nn.functional as F

criterion_dict = {"CE": F.cross_entropy, "MSE": F.mse_loss}


class Executor:
    def __init__(self, args):
        self.step = 0
        self.criterion = criterion_dict[args.get("criterion", "CE")]

    def train_one_epoch(self, model, optimizer, scheduler, data_loader, device, args):
        model.train()
        accum_grad = args.get("accum_grad", 1)
        for batch_idx, batch in enumerate(data_loader):
            feats, target = batch[0].to(device), batch[1].to(device)
            if feats.size(0) == 0:
                continue
            loss = self.criterion(model(feats), target) / accum_grad
            loss.backward()  #! MEM121
            if batch_idx % accum_grad == 0:
                grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.get("grad_clip", 5.0))
                if torch.isfinite(grad_norm):
                    optimizer.step()
                scheduler.step()
                self.step += 1
            if batch_idx % 10 == 0:
                logging.debug("batch %d loss %.6f", batch_idx, loss.item() * accum_grad)
