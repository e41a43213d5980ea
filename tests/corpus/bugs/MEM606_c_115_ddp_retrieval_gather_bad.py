import torch
import torch.distributed as dist


@torch.no_grad()
def concat_all_gather(tensor):
    out = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(out, tensor, async_op=False)
    return torch.cat(out, dim=0)


def extract(args, model, loader):
    model.eval()
    image_feats = []
    for i, (img, _) in enumerate(loader):
        img = img.cuda(args.gpu, non_blocking=True)
        with torch.no_grad():
            f = model(img)
        image_feats.append(concat_all_gather(f))  #! MEM606
    return torch.cat(image_feats)
