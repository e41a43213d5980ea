"""RuntimeError: CUDA out of memory, but only in validation"""
import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from tqdm.auto import tqdm

from unet import UNet
from dataset import CarvanaDataset


def dice_coeff(inp, target, eps=1e-6):
    inter = 2 * (inp * target).sum(dim=(-1, -2))
    total = inp.sum(dim=(-1, -2)) + target.sum(dim=(-1, -2))
    return ((inter + eps) / (total + eps)).mean()


def evaluate(net, dataloader, device):
    net.eval()
    num_val_batches = len(dataloader)
    dice_score = 0
    with torch.no_grad():
        for batch in tqdm(dataloader, total=num_val_batches, desc="Validation round", unit="batch", leave=False):
            image, mask_true = batch["image"].to(device), batch["mask"].to(device)
            mask_pred = net(image)
            mask_pred = torch.sigmoid(mask_pred)
            dice_score += dice_coeff(mask_pred.squeeze(1), mask_true.float())
    net.train()
    return dice_score / max(num_val_batches, 1)


def train_net(net, device, epochs=5, batch_size=1, lr=1e-5):
    train_loader = DataLoader(CarvanaDataset("train"), shuffle=True, batch_size=batch_size, num_workers=4)
    val_loader = DataLoader(CarvanaDataset("val"), shuffle=False, batch_size=batch_size, num_workers=4)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=lr, weight_decay=1e-8, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=2)
    for epoch in range(1, epochs + 1):
        net.train()
        epoch_loss = 0
        with tqdm(total=len(train_loader.dataset), desc=f"Epoch {epoch}/{epochs}") as pbar:
            for batch in train_loader:
                images, true_masks = batch["image"].to(device), batch["mask"].to(device)
                masks_pred = net(images)
                loss = F.binary_cross_entropy_with_logits(masks_pred.squeeze(1), true_masks.float())
                optimizer.zero_grad(set_to_none=True)  #? MEM122
                loss.backward()
                optimizer.step()
                pbar.update(images.shape[0])
                epoch_loss += loss.item()
                pbar.set_postfix(**{"loss (batch)": loss.item()})
        val_score = evaluate(net, val_loader, device)
        scheduler.step(val_score)
        print("dice", float(val_score))


if __name__ == "__main__":
    device = torch.device("cuda")
    train_net(UNet(3, 1).to(device), device)
