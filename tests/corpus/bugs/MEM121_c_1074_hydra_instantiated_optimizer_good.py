import hydra
import torch
import torch.nn.functional as F
from hydra.utils import instantiate
from omegaconf import DictConfig
from tqdm import tqdm


def train_epoch(model, loader, optimizer, scheduler, device):
    model.train()
    bar = tqdm(loader, leave=False)
    for batch in bar:
        points, labels = batch["points"].to(device), batch["label"].to(device)
        optimizer.zero_grad(set_to_none=True)
        pred = model(points.transpose(1, 2))
        loss = F.cross_entropy(pred, labels, label_smoothing=0.2)
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), 10.0)
        optimizer.step()
        scheduler.step()
        bar.set_postfix(loss=f"{loss.item():.4f}")


@hydra.main(config_path="conf", config_name="pointnet", version_base=None)
def main(cfg: DictConfig):
    torch.manual_seed(cfg.seed)
    device = torch.device(cfg.device)
    model = instantiate(cfg.model).to(device)
    optimizer = instantiate(cfg.optimizer, params=model.parameters())
    scheduler = instantiate(cfg.scheduler, optimizer=optimizer)
    loader = instantiate(cfg.dataloader)
    for epoch in range(cfg.epochs):
        train_epoch(model, loader, optimizer, scheduler, device)
        torch.save(model.state_dict(), f"{cfg.out}/{epoch}.pt")


if __name__ == "__main__":
    main()
