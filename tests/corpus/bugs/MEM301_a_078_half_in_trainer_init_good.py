import torch
from torch import nn


class GlideTrainer:
    def __init__(self, glide_model, diffusion, lr=1e-5, use_fp16=True, device="cuda"):
        self.model = glide_model
        self.diffusion = diffusion
        self.amp_dtype = torch.bfloat16 if use_fp16 else torch.float32
        self.model.to(device)
        self.optimizer = torch.optim.AdamW([p for p in self.model.parameters() if p.requires_grad], lr=lr)
        self.device = device

    def base_step(self, batch):
        tokens, masks, x = (t.to(self.device) for t in batch)
        t = torch.randint(0, 1000, (x.size(0),), device=self.device)
        noise = torch.randn_like(x)
        x_t = self.diffusion.q_sample(x, t, noise)
        with torch.autocast("cuda", dtype=self.amp_dtype):
            eps = self.model(x_t, t, tokens=tokens, mask=masks)
        return nn.functional.mse_loss(eps[:, :3].float(), noise)

    def run(self, loader, epochs):
        for epoch in range(epochs):
            for i, batch in enumerate(loader):
                self.optimizer.zero_grad()
                loss = self.base_step(batch)
                loss.backward()
                self.optimizer.step()
                if i % 50 == 0:
                    print(epoch, i, loss.item())
