"""A training loop on accelerate: accumulation, clipping, metrics gathered over processes, checkpoints."""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_dataloaders(batch_size):
    x = torch.randn(1024, 96)
    y = x @ torch.randn(96, 4) + 0.1 * torch.randn(1024, 4)
    train = DataLoader(TensorDataset(x[:768], y[:768]), shuffle=True, batch_size=batch_size)
    return train, DataLoader(TensorDataset(x[768:], y[768:]), batch_size=batch_size)


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(96, width), nn.Linear(width, width), nn.Linear(width, 4)])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.silu(layer(x))
        return self.layers[-1](x)


def training_function(config, args):
    accelerator = Accelerator(
        cpu=args.cpu,
        mixed_precision=args.mixed_precision,
        gradient_accumulation_steps=args.gradient_accumulation_steps,
    )
    set_seed(config["seed"])
    train_dataloader, eval_dataloader = get_dataloaders(config["batch_size"])
    model = Regressor(args.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, config["lr"], total_steps=200)
    model, optimizer, train_dataloader, eval_dataloader, scheduler = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader, scheduler
    )
    for epoch in range(config["num_epochs"]):
        model.train()
        total_loss = 0.0
        for inputs, targets in train_dataloader:
            with accelerator.accumulate(model):
                loss = F.mse_loss(model(inputs), targets)
                total_loss += loss.detach().float().item()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        model.eval()
        errors = []
        for inputs, targets in eval_dataloader:
            with torch.no_grad():
                predictions = model(inputs)
            predictions, references = accelerator.gather_for_metrics((predictions, targets))
            errors.append(F.l1_loss(predictions, references).item())
        accelerator.print(
            f"epoch {epoch}: loss {total_loss / len(train_dataloader):.4f}, error {sum(errors) / len(errors):.4f}"
        )
        accelerator.save_state(f"{args.output_dir}/epoch_{epoch}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mixed_precision", default="no", choices=["no", "fp16", "bf16"])
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--output_dir", default="accelerate_output")
    args = parser.parse_args()
    training_function({"lr": 2e-3, "num_epochs": 3, "seed": 42, "batch_size": 32}, args)


if __name__ == "__main__":
    main()
