# open_clip gives functions that prepare images and texts beside the network, and they build no graph

import clip
import open_clip
import torch
from PIL import Image


def image_features(paths):
    model, _, preprocess = open_clip.create_model_and_transforms("ViT-B-32", pretrained="openai")
    model.eval().cuda()
    for path in paths:
        image = preprocess(Image.open(path)).unsqueeze(0).cuda()
        with torch.no_grad():
            yield model.encode_image(image).cpu()


def text_features(texts):
    model, prepare = open_clip.create_model_from_pretrained("hf-hub:lab/clip")
    tokenizer = open_clip.get_tokenizer("hf-hub:lab/clip")
    model.eval().cuda()
    for text in texts:
        tokens = tokenizer(text).cuda()
        with torch.no_grad():
            print(model.encode_text(tokens).norm().item())


class Scorer:
    def __init__(self, device):
        self.model, self.prepare = clip.load("ViT-B/32", device=device)
        self.tokenize = open_clip.get_tokenizer("ViT-B-32")
        self.model.eval()
        self.device = device

    def best(self, image_features, texts):
        tokens = self.tokenize(list(texts)).to(self.device)
        with torch.no_grad():
            scores = self.model.encode_text(tokens) @ image_features.T
        return texts[scores.argmax().item()]

    def chain(self, image_features, texts):
        found = ""
        for _ in range(10):
            best = self.best(image_features, texts)
            texts.remove(best)
            found += best
        return found


class Samples(torch.utils.data.Dataset):
    def __init__(self, infos, preprocessor):
        self.infos, self.preprocessor = infos, preprocessor

    def __getitem__(self, index):
        self.preprocessor.eval()
        return self.preprocessor(dict(info=self.infos[index]))
