# the network among what open_clip gives

import open_clip


def norms(texts):
    model, _, _ = open_clip.create_model_and_transforms("ViT-B-32")
    tokenizer = open_clip.get_tokenizer("ViT-B-32")
    model.eval().cuda()
    for text in texts:
        print(model.encode_text(tokenizer(text).cuda()).norm().item())  #! MEM201 error
