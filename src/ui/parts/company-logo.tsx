import { Logo } from "./icon.tsx"

/** The picture of the setting `service.logo`. */
const address = document.querySelector<HTMLMetaElement>('meta[name="logo"]')?.content

/** The company's logo, or else the app's; decorative, because the name is beside it. */
export const CompanyLogo = () => (address ? <img class="company-logo" src={address} alt="" /> : <Logo />)
