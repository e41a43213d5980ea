from fastai.vision.all import *


class SaveLoss(Callback):
    def before_fit(self):
        self.vals = []

    def after_batch(self):
        self.vals.append(self.learn.loss.item())


def main():
    path = untar_data(URLs.PETS) / "images"
    dls = ImageDataLoaders.from_name_func(path, get_image_files(path), valid_pct=0.2, label_func=lambda f: f[0].isupper(), item_tfms=Resize(224))
    learn = vision_learner(dls, resnet34, metrics=error_rate, cbs=[SaveLoss()])
    learn.to_fp16()
    learn.fine_tune(1)
    preds, y = learn.get_preds()
    print(preds.shape)


if __name__ == "__main__":
    main()
