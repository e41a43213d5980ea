# one network after the other is measured: each iteration has its own

import timm
import torch

for name in ["resnet18", "vit_tiny_patch16_224", "convnext_tiny"]:
    net = timm.create_model(name).cuda().eval()
    with torch.no_grad():
        out = net(torch.randn(1, 3, 224, 224, device="cuda"))
    print(name, out.shape, torch.cuda.max_memory_allocated())
    torch.cuda.empty_cache()
