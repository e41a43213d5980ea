import sys
import torch
from PIL import Image
from torchvision import transforms

torch.set_grad_enabled(False)
tf = transforms.Compose([transforms.Resize(512), transforms.ToTensor()])


def main(paths):
    model = torch.hub.load("facebookresearch/detr", "detr_resnet50", pretrained=True)
    model.eval()
    outs = []
    for p in paths:
        out = model(tf(Image.open(p)).unsqueeze(0))
        keep = out["pred_logits"].softmax(-1)[0, :, :-1].max(-1).values > 0.9
        outs.append(out["pred_boxes"][0, keep])
    print([len(o) for o in outs])


main(sys.argv[1:])
