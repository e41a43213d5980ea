import math
import sys

import torch

from utils.logger import MetricLogger, SmoothedValue


def train_one_epoch(model, criterion, data_loader, optimizer, device, ema=None, max_norm=0):
    model.train()
    criterion.train()
    metric_logger = MetricLogger(delimiter="  ")
    metric_logger.add_meter("lr", SmoothedValue(1))
    for samples, targets in metric_logger.log_every(data_loader, 10, "Epoch"):
        samples = samples.to(device)
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        outputs = model(samples)
        loss_dict = criterion(outputs, targets)
        losses = sum(loss_dict[k] * criterion.weight_dict[k] for k in loss_dict)
        if not math.isfinite(losses.item()):
            sys.exit(1)
        optimizer.zero_grad()  #? MEM122
        losses.backward()
        if max_norm > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        if ema is not None:
            ema.update(model)
        metric_logger.update(loss=losses, **loss_dict)  #! MEM105
        metric_logger.update(lr=optimizer.param_groups[0]["lr"])
    return {k: meter.global_avg for k, meter in metric_logger.meters.items()}


@torch.no_grad()
def evaluate(model, criterion, data_loader, device):
    model.eval()
    results = []
    for samples, targets in data_loader:
        outputs = model(samples.to(device))
        results.append(outputs["boxes"])  #? MEM103
    return torch.cat(results).mean(0)
