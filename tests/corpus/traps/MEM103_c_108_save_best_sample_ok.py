import torch


def sample(generator, z, path):
    images = generator(z)
    torch.save(images[:16].cpu(), path)
    torch.save({"z": z, "first": images.detach()[0].clone()}, path + ".z")


def save_all(history, path):
    torch.save(history[-1], path)
    torch.save(history["loss"], path)
    torch.save([h[0] for h in history], path)
