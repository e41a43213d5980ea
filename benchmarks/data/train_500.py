"""Train a small vision transformer with mixed precision, an averaged copy of the weights and distillation.

The script is what memlint is timed on: long enough to be typical, with a few memory problems left in.
"""

import argparse
import copy
import json
import logging
import math
import os
import random
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset, Subset

logger = logging.getLogger("train")


@dataclass
class Config:
    """Everything that a run depends on."""

    image_size: int = 32
    patch_size: int = 4
    channels: int = 3
    width: int = 192
    depth: int = 6
    heads: int = 6
    classes: int = 10
    dropout: float = 0.1
    epochs: int = 20
    batch_size: int = 128
    accumulate: int = 2
    lr: float = 1e-3
    weight_decay: float = 0.05
    warmup: int = 500
    clip: float = 1.0
    smoothing: float = 0.1
    ema: float = 0.999
    distill: float = 0.5
    temperature: float = 2.0
    workers: int = 4
    seed: int = 0
    device: str = "cuda"
    output: str = "runs/vit"
    extra: dict = field(default_factory=dict)

    @property
    def tokens(self):
        return (self.image_size // self.patch_size) ** 2


class SyntheticImages(Dataset):
    """Class-dependent blobs with noise, made on the fly."""

    def __init__(self, length, config, train=True):
        self.length = length
        self.size = config.image_size
        self.channels = config.channels
        self.classes = config.classes
        self.train = train
        generator = np.random.default_rng(config.seed)
        self.centres = generator.uniform(0.2, 0.8, (config.classes, 2))
        self.colours = generator.uniform(0.0, 1.0, (config.classes, config.channels))

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        generator = np.random.default_rng(index)
        label = index % self.classes
        grid = np.mgrid[0 : self.size, 0 : self.size].astype(np.float32) / self.size
        centre = self.centres[label] + generator.normal(0, 0.05, 2)
        distance = (grid[0] - centre[0]) ** 2 + (grid[1] - centre[1]) ** 2
        blob = np.exp(-distance / 0.02)
        image = blob[None] * self.colours[label][:, None, None]
        image = image + generator.normal(0, 0.1, image.shape)
        if self.train and generator.random() < 0.5:
            image = image[:, :, ::-1].copy()
        return torch.from_numpy(image.astype(np.float32)), label


class PatchEmbedding(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.project = nn.Conv2d(config.channels, config.width, config.patch_size, stride=config.patch_size)
        self.norm = nn.LayerNorm(config.width)

    def forward(self, images):
        patches = self.project(images).flatten(2).transpose(1, 2)
        return self.norm(patches)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, config.width * 3)
        self.out = nn.Linear(config.width, config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x):
        batch, tokens, width = x.shape
        qkv = self.qkv(x).reshape(batch, tokens, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v)
        mixed = mixed.transpose(1, 2).reshape(batch, tokens, width)
        return self.dropout(self.out(mixed))


class FeedForward(nn.Module):
    def __init__(self, config, expand=4):
        super().__init__()
        self.inner = nn.Linear(config.width, config.width * expand)
        self.outer = nn.Linear(config.width * expand, config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x):
        return self.dropout(self.outer(F.gelu(self.inner(x))))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config)
        self.feed = FeedForward(config)
        self.first = nn.LayerNorm(config.width)
        self.second = nn.LayerNorm(config.width)

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.feed(self.second(x))


class VisionTransformer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed = PatchEmbedding(config)
        self.token = nn.Parameter(torch.zeros(1, 1, config.width))
        self.positions = nn.Parameter(torch.zeros(1, config.tokens + 1, config.width))
        self.blocks = nn.ModuleList([Block(config) for _ in range(config.depth)])
        self.norm = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, config.classes)
        self.apply(self._initialise)

    def _initialise(self, module):
        if isinstance(module, nn.Linear):
            nn.init.trunc_normal_(module.weight, std=0.02)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)

    def features(self, images):
        x = self.embed(images)
        token = self.token.expand(x.shape[0], -1, -1)
        x = torch.cat([token, x], dim=1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, images):
        return self.head(self.features(images)[:, 0])


class AverageMeter:
    """A running mean."""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def mean(self):
        return self.total / max(1, self.count)

    def __str__(self):
        return f"{self.name} {self.mean:.4f}"


class AveragedModel:
    """An exponential moving average of the weights."""

    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for parameter in self.module.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ours, theirs in zip(self.module.parameters(), model.parameters()):
            ours.mul_(self.decay).add_(theirs, alpha=1 - self.decay)
        for ours, theirs in zip(self.module.buffers(), model.buffers()):
            ours.copy_(theirs)


class SmoothedLoss(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, targets):
        log_probabilities = F.log_softmax(logits, dim=-1)
        nll = -log_probabilities.gather(1, targets[:, None]).squeeze(1)
        uniform = -log_probabilities.mean(dim=-1)
        return ((1 - self.smoothing) * nll + self.smoothing * uniform).mean()


def distillation(student, teacher, temperature):
    """The divergence between softened predictions."""
    return F.kl_div(
        F.log_softmax(student / temperature, dim=-1),
        F.softmax(teacher / temperature, dim=-1),
        reduction="batchmean",
    ) * (temperature**2)


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def parameter_groups(model, weight_decay):
    """Weights decay; biases, norms and embeddings do not."""
    decayed, plain = [], []
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        if parameter.ndim <= 1 or name.endswith(("token", "positions")):
            plain.append(parameter)
        else:
            decayed.append(parameter)
    return [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]


def build_loaders(config):
    train_set = SyntheticImages(20_000, config, train=True)
    full = SyntheticImages(24_000, config, train=False)
    valid_set = Subset(full, range(20_000, 22_000))
    test_set = Subset(full, range(22_000, 24_000))
    train_loader = DataLoader(
        train_set,
        batch_size=config.batch_size,
        shuffle=True,
        drop_last=True,
        num_workers=config.workers,
        pin_memory=True,
        persistent_workers=config.workers > 0,
    )
    valid_loader = DataLoader(valid_set, batch_size=config.batch_size * 2, num_workers=config.workers)
    test_loader = DataLoader(test_set, batch_size=config.batch_size * 2)
    return train_loader, valid_loader, test_loader


def build_optimizer(model, config, steps):
    optimizer = torch.optim.AdamW(
        parameter_groups(model, config.weight_decay), lr=config.lr, betas=(0.9, 0.98)
    )

    def schedule(step):
        if step < config.warmup:
            return step / max(1, config.warmup)
        progress = (step - config.warmup) / max(1, steps - config.warmup)
        return 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))

    return optimizer, LambdaLR(optimizer, schedule)


def accuracy(logits, targets, topk=(1,)):
    _, predicted = logits.topk(max(topk), dim=1)
    hits = predicted.eq(targets[:, None])
    return [hits[:, :k].any(dim=1).float().mean().item() for k in topk]


class Trainer:
    """Owns everything that changes during training."""

    def __init__(self, config, teacher=None):
        self.config = config
        self.device = torch.device(config.device if torch.cuda.is_available() else "cpu")
        self.model = VisionTransformer(config).to(self.device)
        self.teacher = teacher.to(self.device).eval() if teacher is not None else None
        self.averaged = AveragedModel(self.model, config.ema)
        self.criterion = SmoothedLoss(config.smoothing)
        self.train_loader, self.valid_loader, self.test_loader = build_loaders(config)
        steps = config.epochs * len(self.train_loader) // config.accumulate
        self.optimizer, self.scheduler = build_optimizer(self.model, config, steps)
        self.use_amp = self.device.type == "cuda"
        self.scaler = GradScaler(enabled=self.use_amp)
        self.history = defaultdict(list)
        self.best = 0.0
        self.step = 0
        self.output = Path(config.output)
        self.output.mkdir(parents=True, exist_ok=True)

    def losses(self, images, targets):
        logits = self.model(images)
        loss = self.criterion(logits, targets)
        if self.teacher is not None:
            with torch.no_grad():
                guide = self.teacher(images)
            soft = distillation(logits, guide, self.config.temperature)
            loss = (1 - self.config.distill) * loss + self.config.distill * soft
        return loss, logits

    def train_epoch(self, epoch):
        self.model.train()
        loss_meter, top1_meter = AverageMeter("loss"), AverageMeter("top1")
        running = 0.0
        started = time.time()
        self.optimizer.zero_grad(set_to_none=True)
        for i, (images, targets) in enumerate(self.train_loader):
            images = images.to(self.device, non_blocking=True)
            targets = targets.to(self.device, non_blocking=True)
            with autocast(self.use_amp):
                loss, logits = self.losses(images, targets)
            self.scaler.scale(loss / self.config.accumulate).backward()
            if (i + 1) % self.config.accumulate == 0:
                self.scaler.unscale_(self.optimizer)
                norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad(set_to_none=True)
                self.scheduler.step()
                self.averaged.update(self.model)
                self.step += 1
                self.history["norm"].append(norm.item())
            running += loss
            (top1,) = accuracy(logits.detach(), targets)
            loss_meter.update(loss.item(), images.size(0))
            top1_meter.update(top1, images.size(0))
            if i % 50 == 0:
                rate = (i + 1) * self.config.batch_size / (time.time() - started)
                logger.info("epoch %d step %d %s %s %.0f/s", epoch, i, loss_meter, top1_meter, rate)
        self.history["train_loss"].append(loss_meter.mean)
        return float(running) / len(self.train_loader)

    @torch.no_grad()
    def validate(self, model):
        model.eval()
        meters = {name: AverageMeter(name) for name in ("loss", "top1", "top5")}
        for images, targets in self.valid_loader:
            images, targets = images.to(self.device), targets.to(self.device)
            logits = model(images)
            loss = F.cross_entropy(logits, targets)
            top1, top5 = accuracy(logits, targets, topk=(1, 5))
            meters["loss"].update(loss.item(), images.size(0))
            meters["top1"].update(top1, images.size(0))
            meters["top5"].update(top5, images.size(0))
        return {name: meter.mean for name, meter in meters.items()}

    def collect_predictions(self, model):
        """Every prediction of the test set, for the confusion matrix."""
        model.eval()
        outputs, labels = [], []
        for images, targets in self.test_loader:
            logits = model(images.to(self.device))
            outputs.append(logits)
            labels.append(targets)
        return torch.cat(outputs).argmax(1).cpu(), torch.cat(labels)

    def confusion(self):
        predicted, labels = self.collect_predictions(self.averaged.module)
        matrix = torch.zeros(self.config.classes, self.config.classes, dtype=torch.long)
        for p, t in zip(predicted.tolist(), labels.tolist()):
            matrix[t, p] += 1
        return matrix

    def save(self, epoch, name):
        torch.save(
            {
                "epoch": epoch,
                "model": self.model.state_dict(),
                "averaged": self.averaged.module.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "scheduler": self.scheduler.state_dict(),
                "scaler": self.scaler.state_dict(),
                "best": self.best,
            },
            self.output / name,
        )

    def resume(self, path):
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.averaged.module.load_state_dict(state["averaged"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.scaler.load_state_dict(state["scaler"])
        self.best = state["best"]
        epoch = state["epoch"]
        del state
        return epoch + 1

    def fit(self, start=0):
        for epoch in range(start, self.config.epochs):
            train_loss = self.train_epoch(epoch)
            plain = self.validate(self.model)
            averaged = self.validate(self.averaged.module)
            for name, value in averaged.items():
                self.history[f"valid_{name}"].append(value)
            logger.info(
                "epoch %d train %.4f valid %.4f top1 %.4f averaged %.4f",
                epoch,
                train_loss,
                plain["loss"],
                plain["top1"],
                averaged["top1"],
            )
            if averaged["top1"] > self.best:
                self.best = averaged["top1"]
                self.save(epoch, "best.pt")
            self.save(epoch, "last.pt")
            self.write_history()
        return self.best

    def write_history(self):
        target = self.output / "history.json"
        temporary = target.with_suffix(".tmp")
        temporary.write_text(json.dumps(self.history))
        os.replace(temporary, target)


def find_learning_rate(trainer, steps=100, lowest=1e-6, highest=1.0):
    """The loss at rising learning rates, on a copy of the model."""
    model = copy.deepcopy(trainer.model).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lowest, momentum=0.9)
    factor = (highest / lowest) ** (1 / steps)
    losses, rates = [], []
    batches = iter(trainer.train_loader)
    for _ in range(steps):
        try:
            images, targets = next(batches)
        except StopIteration:
            break
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images.to(trainer.device)), targets.to(trainer.device))
        loss.backward()
        optimizer.step()
        losses.append(loss)
        rates.append(optimizer.param_groups[0]["lr"])
        for group in optimizer.param_groups:
            group["lr"] *= factor
    best = min(range(len(losses)), key=lambda i: float(losses[i]))
    return rates[max(0, best - 10)]


def memory_report(device):
    if device.type != "cuda":
        return "no device memory to report"
    allocated = torch.cuda.memory_allocated(device) / 2**20
    peak = torch.cuda.max_memory_allocated(device) / 2**20
    torch.cuda.reset_peak_memory_stats(device)
    return f"allocated {allocated:.0f} MiB, peak {peak:.0f} MiB"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=Config.epochs)
    parser.add_argument("--batch-size", type=int, default=Config.batch_size)
    parser.add_argument("--lr", type=float, default=Config.lr)
    parser.add_argument("--workers", type=int, default=Config.workers)
    parser.add_argument("--output", default=Config.output)
    parser.add_argument("--teacher", help="checkpoint of a wider model to learn from")
    parser.add_argument("--resume", help="checkpoint to go on from")
    parser.add_argument("--find-lr", action="store_true", help="only look for a learning rate")
    return parser.parse_args()


def load_teacher(path, config):
    wide = Config(width=config.width * 2, heads=config.heads * 2, depth=config.depth + 2)
    teacher = VisionTransformer(wide)
    teacher.load_state_dict(torch.load(path, map_location="cpu")["averaged"])
    return teacher.requires_grad_(False)


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    arguments = parse_arguments()
    config = Config(
        epochs=arguments.epochs,
        batch_size=arguments.batch_size,
        lr=arguments.lr,
        workers=arguments.workers,
        output=arguments.output,
    )
    seed_everything(config.seed)
    teacher = load_teacher(arguments.teacher, config) if arguments.teacher else None
    trainer = Trainer(config, teacher)
    logger.info("%.1f million parameters", count_parameters(trainer.model) / 1e6)
    if arguments.find_lr:
        print(f"suggested learning rate: {find_learning_rate(trainer):.2e}")
        return
    start = trainer.resume(arguments.resume) if arguments.resume else 0
    best = trainer.fit(start)
    logger.info("best top1 %.4f; %s", best, memory_report(trainer.device))
    print(trainer.confusion())


if __name__ == "__main__":
    main()
