from segkit.models.unet import UNet


def build_model(cfg, classes):
    return UNet(3, classes).to(cfg.device)
