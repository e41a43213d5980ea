"""LoRA written by hand on a frozen bf16 decoder of 1.3 billion parameters; only adapters train, masked labels."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, WIDTH, LAYERS, HEADS, LENGTH, BATCH, RANK = 32000, 2048, 16, 16, 1024, 4, 16
device = "cuda"


class LoRALinear(nn.Module):
    def __init__(self, base, r=RANK, alpha=32, dropout=0.05):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        self.lora_A = nn.Parameter(torch.empty(r, base.in_features, device=base.weight.device))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, r, device=base.weight.device))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.scale, self.drop = alpha / r, nn.Dropout(dropout)

    def forward(self, x):
        out = self.base(x)
        return out + ((self.drop(x).float() @ self.lora_A.t() @ self.lora_B.t()) * self.scale).to(out.dtype)


class RMSNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)).type_as(x) * self.weight


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
        self.gate, self.up, self.down = nn.Linear(WIDTH, 5504, bias=False), nn.Linear(WIDTH, 5504, bias=False), nn.Linear(5504, WIDTH, bias=False)
        self.n1, self.n2 = RMSNorm(WIDTH), RMSNorm(WIDTH)

    def forward(self, x):
        b, n, d = x.shape
        h = self.n1(x)
        q, k, v = (p(h).view(b, n, HEADS, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        x = x + self.o_proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, n, d))
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = RMSNorm(WIDTH), nn.Linear(WIDTH, VOCAB, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


torch.manual_seed(0)
with torch.device(device):
    model = LM().to(torch.bfloat16)
for p in model.parameters():
    p.requires_grad = False
for layer in model.layers:
    for name in ("q_proj", "v_proj"):
        setattr(layer, name, LoRALinear(getattr(layer, name)))
trainable = [p for p in model.parameters() if p.requires_grad]
print(f"trainable: {sum(p.numel() for p in trainable):,}")
optimizer = torch.optim.AdamW(trainable, lr=2e-4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-4, total_steps=300)
model.train()
for step in range(300):
    ids = torch.randint(0, VOCAB, (BATCH, LENGTH), device=device)
    labels = ids.clone()
    labels[:, :256] = -100
    logits = model(ids)
    shift_logits = logits[..., :-1, :].contiguous().float()
    shift_labels = labels[..., 1:].contiguous()
    loss = F.cross_entropy(shift_logits.view(-1, VOCAB), shift_labels.view(-1))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trainable, 0.3)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
