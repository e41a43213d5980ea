import torch
from torch import Tensor, nn


class LMTrainer(nn.Module):
    def __init__(self, lm, lr=1e-5, device="cuda"):
        super().__init__()
        self.lm = lm.to(device)
        self.opt = torch.optim.AdamW(lm.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()
        self.device = device

    def train_lm(self, train_loader, epoch: int, verbose: bool = True):
        all_out = []
        total_loss = total_correct = 0
        self.lm.train()
        for batch in train_loader:
            inputs = {k: v.to(self.device) for k, v in batch['input'].items()}
            out = self.lm(**inputs).logits
            labels = batch['labels'].to(self.device).squeeze()
            loss = self.loss_fn(out, labels)
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()
            all_out.append(out)  #! MEM102
            total_correct += int(out.argmax(dim=-1).eq(labels).sum())
            total_loss += float(loss.detach())
        all_out = torch.cat(all_out, dim=0)
        if verbose:
            print(f"epoch {epoch} loss {total_loss / len(train_loader):.4f} {tuple(all_out.shape)}")
        return total_correct / len(all_out), total_loss / len(train_loader)
